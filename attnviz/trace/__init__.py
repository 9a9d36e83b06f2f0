"""What is kept of a run, to be read in this order: run_facts, tokens, mask, weight_sources, records, trace, traceable.

Last, verify: the proof that what is kept gives what the model computed.
"""
