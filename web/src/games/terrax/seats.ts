/* Tokens in the order of the seats: amber, blue and charcoal belong to the
 * expeditions, so their likes come last. */
export const seatTokens = ['star', 'peak', 'leaf', 'wave', 'sun', 'moon'];
