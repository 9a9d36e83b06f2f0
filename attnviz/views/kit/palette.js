// Written by scripts/make_palette.py from attnviz/palette.py; a contract test compares them.

export const STOPS = [0.0, 0.12, 0.35, 0.6, 0.8, 1.0];
export const SEQUENTIAL = {light: ['#F6F7F7', '#E0EBF5', '#A6C9E7', '#559ACF', '#2267A7', '#0A3866'], dark: ['#1B2027', '#1C3047', '#1F5081', '#3B86CB', '#86BFF0', '#E4F2FF']};
export const NEGATIVE = {light: ['#F6F7F7', '#FBE6D4', '#F4BE8E', '#DE8038', '#B34E0C', '#6E2A00'], dark: ['#1B2027', '#3A2716', '#6B3D14', '#BC691F', '#F0A45C', '#FFE6CE']};
export const SERIES = {light: ['#0B5FA5', '#BE4412', '#007F76', '#8E2277', '#B08A00', '#7B5A3A', '#1E93B8', '#7C828C'], dark: ['#5B9DE8', '#FF8A5A', '#6ADCCF', '#C765B8', '#EBCF5A', '#B98F6A', '#7BE3F2', '#98A0AC']};
export const TOKENS = {ink: {light: '#1A1C20', dark: '#ECEEF1'}, pos: {light: '#2468A8', dark: '#83BDEF'}, empty: {light: '#E4E3DC', dark: '#0B0E11'}};
