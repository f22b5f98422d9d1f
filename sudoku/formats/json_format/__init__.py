"""The format `json`: a JSON object for each puzzle, with everything that a `Record` can hold."""
