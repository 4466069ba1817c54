export default function Loading() {
  return (
    <div role="status" className="stack animate-pulse">
      <span className="sr-only">Loading</span>
      <div className="h-control w-48 rounded-lg bg-subtle" />
      <div className="card h-96" />
    </div>
  );
}
