export const clientMessages = {
  created: "Created client successfully",
  updated: "Updated client successfully",
  removed: "Removed client successfully",
};
