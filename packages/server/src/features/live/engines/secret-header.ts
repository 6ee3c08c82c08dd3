/** What the engine and the server show each other, each with every request to the other. */
export const SECRET_HEADER = 'x-live-secret';
