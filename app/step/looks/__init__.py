"""The closer looks of Step through: what each computes, and the dialog that shows it."""
