"""Results as documents, and the questions that make them."""
