"""The local sign-in: a stand-in for the platform's, and an OpenID provider."""
