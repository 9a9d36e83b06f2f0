"""Attention's arithmetic and its recording; knows no model and no screen. To be read in this order:

attend         the five lines that every model runs
ops            one function per line of the formula
site           names of places: an attention of a model is at a Site, "encoder.2.self"; other code chooses its own name
callers        the site of an attention that nobody named, by the module that calls it
recording      what was kept, by name
edit           a change to a run: of a value by its name, or of what an attention is given
capture        how a value is offered, kept and edited
kernels        faster ways to the same numbers

A first reading can skip the rest: tensor_checks and errors say what is refused and with which error.
"""
