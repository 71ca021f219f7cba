"""Searches written by hand, in Python and in C++, that the benchmarks compare with."""
