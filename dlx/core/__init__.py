"""What a problem is: items and options in compact arrays, colors, multiplicities, costs, givens."""
