"""Published solvers and plainer formulations, called as their authors would."""
