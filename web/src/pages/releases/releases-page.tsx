import { PageHeader } from '../../ui/page-header.tsx';

export default function ReleasesPage() {
  return <PageHeader title="Releases" />;
}
