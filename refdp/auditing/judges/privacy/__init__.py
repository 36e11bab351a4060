"""Privacy: do the outputs on some neighbouring pair differ more than the privacy claim allows?"""
