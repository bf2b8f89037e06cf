"What only the build of the site needs: it is installed for development, and stands in no wheel."
