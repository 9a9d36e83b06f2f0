"""One file a page; a page draws what `app` hands it and computes nothing."""
