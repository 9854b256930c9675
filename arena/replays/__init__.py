"""How are finished matches kept, checked, told and handed on?"""
