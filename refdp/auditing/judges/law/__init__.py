"""Law: does a sampler have the law that is claimed of it?"""
