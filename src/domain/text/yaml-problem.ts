/** The message of the YAML parser in a sentence. It opens a quote around the one that is missing and doesn't close it. */
export function yamlProblem(message: string): string {
  return message.replace(/Missing closing (["'])quote/, 'Missing closing quote ($1)');
}
