"""A small grammar that says every sentence in English and in Chinese and knows which word translates which.

lexicon      the words, as tables
phrases      the notation: two texts and the links between their words
nouns        noun phrases and subjects
actions      verb, object and place
sentences    how each kind of sentence is said, from words/sentences.txt
patterns     the kinds of sentence and their words
recognition  which of these sentences a typed text is
tokenizers   typed text -> words, words -> text
"""
