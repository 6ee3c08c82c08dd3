/** What sizes are counted in. Nothing else says how many bytes a mebibyte has. */
export const MIB = 1024 * 1024;
export const GIB = 1024 * MIB;
