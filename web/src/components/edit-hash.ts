/** Fragment of links that open the page of a resource with its form for editing. */
export const editHash = 'edit';
