"""Results as people read them: terminal text and pages."""
