/** The contract promises it of its URLs; a link of another kind would run in this page. */
export function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url);
}
