/** The organization that runs the program, as screens, prints, and mail show it. */
export type Brand = {
  organization: string;
  /** The name for narrow places; "" if it has none. */
  shortName: string;
  /** The help text; "" if there is none. */
  help: string;
  /** The address of the logo; null without one. */
  logo: string | null;
};
