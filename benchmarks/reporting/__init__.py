"""Raw results, and the tables and plots made from them."""
