/** Returns the error of a field or of one of its nested fields. */
export function fieldErrorOf(
  errors: Readonly<Record<string, React.ReactNode>>,
  field: string,
): React.ReactNode {
  return Object.entries(errors).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];
}
