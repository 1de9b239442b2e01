"""Settings for all tests."""

import signal

from hypothesis import HealthCheck, settings

# The same examples on every run, and no time limits: a loaded machine is no fault of the code.
settings.register_profile("project", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

# In the background of a shell Ctrl-C is ignored, and so it would be by all programs that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
