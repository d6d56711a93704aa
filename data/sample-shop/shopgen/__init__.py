"""Generator of the sample shop: lexicon in, catalog records and drawings out."""
