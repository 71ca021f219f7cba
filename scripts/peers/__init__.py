"""What the benchmarks compare with: other packages, and a search written by hand. Each needs the extra `bench`."""
