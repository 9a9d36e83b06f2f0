"""A panel: sentences, facts, tables, maps and curves under each other, for what stands beside a picture."""
