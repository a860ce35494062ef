/** What is wrong with a field or with a member of it. */
export function errorsOf(errors: Readonly<Record<string, React.ReactNode>>, field: string): React.ReactNode {
  return Object.entries(errors).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];
}
