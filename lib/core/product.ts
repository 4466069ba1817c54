/** The product's name, as screens, mail and documents show it. */
export const PRODUCT_NAME = "Lanternbook";

/** The name in cookies, files and the embedded database. */
export const PRODUCT_KEY = "lanternbook";
