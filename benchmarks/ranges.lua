-- One mebibyte from anywhere in a file of 24: what a player that seeks asks for.
local mebibyte = 1048576
request = function()
  local from = math.random(0, 23 * mebibyte)
  wrk.headers["Range"] = "bytes=" .. from .. "-" .. (from + mebibyte - 1)
  return wrk.format()
end
