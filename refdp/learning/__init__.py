"""DP-SGD in exact steps, what usually goes wrong in it, and audits of training loops."""
