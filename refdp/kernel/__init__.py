"""The trusted kernel: what a theorem is, the rules that make one, certificates and their replay."""
