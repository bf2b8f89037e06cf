"The command, as `python -m sampling_eval`."
from .cli import main

if __name__ == "__main__": main()
