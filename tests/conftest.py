"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# The same examples on every run, and no time limits: a loaded machine is no fault of the code.
settings.register_profile("project", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")
