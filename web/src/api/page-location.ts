/**
 * Path under which the page is served, without a slash at its end, such as `/pacekeeper`; empty if there's none.
 * The server writes it into the document.
 */
export const basePath =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '');

/** Returns the URL of the installation, for commands that are run elsewhere. */
export const serverUrl = (): string => location.origin + basePath;

/**
 * Returns a name for storage, locks, and channels of the browser. Installations with different base paths can
 * share an origin, so these names contain the base path.
 */
export const withBasePath = (name: string): string => name + basePath;
