-- Ranges of one size from anywhere in a file: what a player that seeks asks for. Arguments: bytes of a range, bytes of the file.
local size, last

init = function(args)
  size = tonumber(args[1])
  last = tonumber(args[2]) - size
  math.randomseed(7)
end

request = function()
  local from = math.random(0, last)
  wrk.headers["Range"] = "bytes=" .. from .. "-" .. (from + size - 1)
  return wrk.format()
end
