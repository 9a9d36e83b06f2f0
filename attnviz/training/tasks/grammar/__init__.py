"""A small grammar that says every sentence twice, in English and in Chinese, and knows which word comes from which.

lexicon      the words, as tables
phrases      the notation: two texts and the links between their words
nouns        noun phrases and subjects
actions      verb, object and place
patterns     the sentences
recognition  which of them a typed text is
reader       typed text -> words, words -> text
"""
