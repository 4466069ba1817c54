/** True if a record of that day cannot be changed; `through` is the last closed day, or null. */
export const isClosed = (day: string, through: string | null): boolean => through !== null && day <= through;
