"""Lamp, buzzer and buttons on the pins of a Raspberry Pi.

It imports ``companion.public`` and gpiozero; it hears updates and says which button was pressed.
"""
