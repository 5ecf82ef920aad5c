"""Systems that answer with numbers, labels or lists of documents, scored against people's.

Quality estimation (sentences and words), metric scores of systems, and search for translations, as
in Bojar et al. 2014, sections 4 and 5. Each is a table of units (sentences, queries) by systems;
a `Scoreboard` has every measure of every system with an interval, and those that may be the best.
"""
