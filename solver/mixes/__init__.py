"""Mixes that a person can play: safe against anybody, of few arrangements, of few splits, or drawn with dice."""
