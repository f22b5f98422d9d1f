"""The engine "python", the reference implementation that tests compare the kernel with."""
