import { PageHeader } from '../../ui/page-header.tsx';

export default function VersionsPage() {
  return <PageHeader title="Versions" />;
}
