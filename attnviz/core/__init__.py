"""Attention's arithmetic and its recording; knows no model and no screen. To be read in this order:

attend      the five lines that every model runs
ops         one function per line of the formula
kernels     faster ways to the same numbers
capture     how a value is offered, kept and edited
recording   what was kept, by name
site        the names of places: "encoder.2.self"
masks       masks of recorded runs as rules; models/ pass tensors
checks      what is refused, and errors, how
"""
