"""What the host's page does to the table as a whole: record a minute, bring a backup back, install an update.

It may import what the command line may. Each of these needs the running match and the box at once, and so stands above
both; ``companion.cli.run`` hands them to the pages.
"""
