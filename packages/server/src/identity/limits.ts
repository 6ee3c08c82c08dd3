/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */

/** “limit integer > 0 and <= 1000, default 1000.” */
export const MAX_CHILDREN_LISTED = 1000;

/** “Setting `rotate`: a new one each time; the old one is good for 60 s more.” */
export const REPLACED_TOKEN_SECONDS = 60;
