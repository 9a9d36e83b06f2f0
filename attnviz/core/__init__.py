"""Attention's arithmetic and its recording; knows no model and no screen. To be read in this order:

attend         the five lines that every model runs
ops            one function per line of the formula
recording      what was kept, by name
capture        how a value is offered, kept and edited
kernels        faster ways to the same numbers
site           the names of places: a model's own are sites, "encoder.2.self"; code without a model names its own

tensor_checks and errors say what is refused and with which error, one_thread keeps small matrices on one core; a first
reading can skip them.
"""
