"""Why a head looks where it looks and a model predicts what it predicts, taken apart exactly."""
