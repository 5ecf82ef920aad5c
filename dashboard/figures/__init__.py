"""Pure builders of figures: a result in, a `go.Figure` out; no Streamlit."""
