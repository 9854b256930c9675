"""Workers on other machines: an event on a Dask cluster.

Only the modules whose names begin with `dask_` import Dask, which is an optional extra. The others
decide who plays what, and check what comes back; README.md in the folder above describes the whole.
"""
