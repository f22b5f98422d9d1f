"""Rules for clues that setters put between cells, in cells, and outside of the grid."""
