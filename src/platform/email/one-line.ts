/** Returns one line of visible text, short enough that 50 replies fit into a stored result. */
export function oneLine(text: string): string {
  return (
    text
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim()
      .slice(0, 200)
      // Call `toWellFormed` last, because the cut can split a surrogate pair. The result couldn't be stored,
      // so the message would be sent repeatedly.
      .toWellFormed()
  );
}

/**
 * Removes secrets from a string that another server sent, because the string is visible to members of
 * organizations. Call this before the string is cut, because a part of a secret isn't found.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
