"""The engines behind one interface, and the choice between them."""
